// A command refuses for a reason that only our own code understands, such as "another worker holds this operation". It is matched by
// its class and never shown to a caller. A public refusal is a DomainError.

/** Thrown by `decide`: the command leaves nothing behind, and the code that submitted it catches the subclass it knows. */
export abstract class InternalRefusal extends Error {}
