// Values that a preview shows in place of what does not exist yet. They have the right form and consist of zeros, so that no reader takes
// them for real ones. Money that is sent to such an address is lost, so no real value may stand here.

export const NEW_ACCOUNT = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';
export const NEW_CONTRACT = 'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD2KM';
export const NEW_TRANSACTION = '0'.repeat(64);
