// A status badge: its name in words, and a colour that shows whether action is needed.

export type Tone = 'calm' | 'busy' | 'good' | 'warn' | 'bad';

const TONES: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  SUSPENDED: 'bad',
  PENDING_VERIFICATION: 'warn',
  ORDER_CREATED: 'calm',
  FUNDS_RESERVED: 'busy',
  ESCROW_CREATING: 'busy',
  ESCROW_FUNDING: 'busy',
  IN_PROGRESS: 'busy',
  RELEASE_REQUESTED: 'busy',
  REFUND_REQUESTED: 'busy',
  RELEASED: 'good',
  REFUNDED: 'calm',
  DISPUTED: 'warn',
  CLOSED: 'calm',
  SPLIT: 'calm',
  CANCELED: 'calm',
  CREATING: 'busy',
  CREATED: 'busy',
  FUNDING: 'busy',
  FUNDED: 'good',
  OPEN: 'warn',
  UNDER_REVIEW: 'busy',
  RESOLVED: 'good',
  COMPLETED: 'good',
  RUNNING: 'busy',
  DONE: 'good',
  FAILED: 'bad',
  SUCCEEDED: 'good',
  PROCESSING: 'busy',
  AWAITING_USER_CONFIRMATION: 'warn',
  COMMITTED: 'busy',
  PENDING: 'busy',
  PENDING_USER_ACTION: 'warn',
  EXPIRED: 'calm',
  REVOKED: 'bad',
  FAILING: 'bad',
  DISABLED: 'calm',
  INVITED: 'busy',
  APPROVING: 'busy',
  APPROVED: 'good',
  REJECTED: 'bad',
  DELIVERED: 'good',
  SUCCESS: 'good',
  FAILURE: 'bad',
  REFUSED: 'warn',
  OK: 'good',
  DEGRADED: 'warn',
  DOWN: 'bad',
  NOT_CONFIGURED: 'calm',
};

/** `TOPUP_AWAITING_USER_CONFIRMATION` to `Awaiting user confirmation`: the page already names the record. */
export const statusWords = (status: string): string => {
  const words = bare(status).toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** `providerContractId` to `Provider contract id`. */
export const fieldWords = (name: string): string => statusWords(name.replace(/([a-z])([A-Z])/g, '$1_$2'));

const bare = (status: string): string => status.toUpperCase().replace(/^(TOPUP|WITHDRAWAL)_/, '');

type Props = { readonly value: string; readonly tone?: Tone; readonly words?: string };

export const Status = ({ value, tone, words }: Props) => (
  <span className="badge" data-tone={tone ?? TONES[bare(value)] ?? 'calm'} title={value}>
    {words ?? statusWords(value)}
  </span>
);

/** Of an escrow or a milestone that paid both parties: the server has no status of its own for it. */
export const SplitStatus = ({ value }: Pick<Props, 'value'>) => <Status value={value} words="Split" tone="calm" />;
