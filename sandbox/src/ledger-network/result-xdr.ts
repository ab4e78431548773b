// The outcome of a transaction in the network's own binary form, which the official clients decode.

import { hash, xdr } from '@stellar/stellar-sdk';

export type Codes = { transaction: string; inner_transaction?: string; operations?: string[] };

type Outcome = {
  codes: Codes;
  operations: xdr.Operation[];
  // By operation, what a merged account had.
  merged: (bigint | null)[];
  feeCharged: bigint;
  innerHash: Uint8Array | null;
};

export function writeResult({ codes, operations, merged, feeCharged, innerHash }: Outcome): string {
  const results =
    codes.operations?.map((code, index) =>
      operationResult(code, { body: operations[index]!.body, merged: merged[index] ?? null }),
    ) ?? [];
  const ext = xdr.TransactionResultExt.v0();
  if (innerHash === null) {
    const result = plainResult(codes.transaction, results);
    return new xdr.TransactionResult({ feeCharged, result, ext }).toXdr('base64');
  }
  const inner = new xdr.InnerTransactionResultPair({
    transactionHash: innerHash,
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result: innerResult(codes.inner_transaction ?? codes.transaction, results),
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  });
  const good = codes.transaction === 'tx_fee_bump_inner_success';
  const { txFeeBumpInnerSuccess, txFeeBumpInnerFailed } = xdr.TransactionResultResult;
  const result = good ? txFeeBumpInnerSuccess(inner) : txFeeBumpInnerFailed(inner);
  return new xdr.TransactionResult({ feeCharged, result, ext }).toXdr('base64');
}

function plainResult(code: string, results: xdr.OperationResult[]): xdr.TransactionResultResult {
  const R = xdr.TransactionResultResult;
  if (code === 'tx_success') return R.txSuccess(results);
  if (code === 'tx_failed') return R.txFailed(results);
  return R[SIMPLE[code] ?? 'txInternalError']();
}

function innerResult(code: string, results: xdr.OperationResult[]): xdr.InnerTransactionResultResult {
  const R = xdr.InnerTransactionResultResult;
  if (code === 'tx_success') return R.txSuccess(results);
  if (code === 'tx_failed') return R.txFailed(results);
  return R[SIMPLE[code] ?? 'txInternalError']();
}

const SIMPLE: Record<string, Simple> = {
  tx_too_early: 'txTooEarly',
  tx_too_late: 'txTooLate',
  tx_missing_operation: 'txMissingOperation',
  tx_bad_seq: 'txBadSeq',
  tx_bad_auth: 'txBadAuth',
  tx_bad_auth_extra: 'txBadAuthExtra',
  tx_insufficient_balance: 'txInsufficientBalance',
  tx_no_source_account: 'txNoAccount',
  tx_insufficient_fee: 'txInsufficientFee',
  tx_not_supported: 'txNotSupported',
  tx_bad_sponsorship: 'txBadSponsorship',
};
type Simple = 'txTooEarly' | 'txTooLate' | 'txMissingOperation' | 'txBadSeq' | 'txBadAuth' | 'txBadAuthExtra' | Other;
type Other =
  | 'txInsufficientBalance'
  | 'txNoAccount'
  | 'txInsufficientFee'
  | 'txNotSupported'
  | 'txBadSponsorship'
  | 'txInternalError';

type Applied = { body: xdr.OperationBody; merged: bigint | null };

function operationResult(code: string, { body, merged }: Applied): xdr.OperationResult {
  const R = xdr.OperationResult;
  if (code === 'op_bad_auth') return R.opBadAuth();
  if (code === 'op_no_source_account') return R.opNoAccount();
  const T = xdr.OperationResultTr;
  switch (body.type) {
    case 'createAccount':
      return R.opInner(T.createAccount(CREATED[code]?.() ?? xdr.CreateAccountResult.createAccountMalformed()));
    case 'payment':
      return R.opInner(T.payment(PAID[code]?.() ?? xdr.PaymentResult.paymentMalformed()));
    case 'pathPaymentStrictReceive':
      return R.opInner(T.pathPaymentStrictReceive(received(code, body.pathPaymentStrictReceiveOp)));
    case 'pathPaymentStrictSend':
      return R.opInner(T.pathPaymentStrictSend(sent(code, body.pathPaymentStrictSendOp)));
    case 'changeTrust':
      return R.opInner(T.changeTrust(TRUSTED[code]?.() ?? xdr.ChangeTrustResult.changeTrustMalformed()));
    case 'clawback':
      return R.opInner(T.clawback(clawbackResult(code)));
    case 'accountMerge':
      return R.opInner(T.accountMerge(mergeResult(code, merged)));
    case 'beginSponsoringFutureReserves':
      return R.opInner(T.beginSponsoringFutureReserves(BEGUN[code]?.() ?? BEGUN.op_malformed!()));
    case 'endSponsoringFutureReserves':
      return R.opInner(T.endSponsoringFutureReserves(ENDED[code]?.() ?? ENDED.op_not_sponsored!()));
    case 'manageData':
      return R.opInner(T.manageData(STORED[code]?.() ?? xdr.ManageDataResult.manageDataInvalidName()));
    case 'invokeHostFunction':
      return R.opInner(T.invokeHostFunction(invoked(code)));
    default:
      return R.opNotSupported();
  }
}

const CREATED: Record<string, () => xdr.CreateAccountResult> = {
  op_success: xdr.CreateAccountResult.createAccountSuccess,
  op_underfunded: xdr.CreateAccountResult.createAccountUnderfunded,
  op_low_reserve: xdr.CreateAccountResult.createAccountLowReserve,
  op_already_exists: xdr.CreateAccountResult.createAccountAlreadyExist,
};

const PAID: Record<string, () => xdr.PaymentResult> = {
  op_success: xdr.PaymentResult.paymentSuccess,
  op_underfunded: xdr.PaymentResult.paymentUnderfunded,
  op_src_no_trust: xdr.PaymentResult.paymentSrcNoTrust,
  op_src_not_authorized: xdr.PaymentResult.paymentSrcNotAuthorized,
  op_no_destination: xdr.PaymentResult.paymentNoDestination,
  op_no_trust: xdr.PaymentResult.paymentNoTrust,
  op_not_authorized: xdr.PaymentResult.paymentNotAuthorized,
  op_line_full: xdr.PaymentResult.paymentLineFull,
};

const TRUSTED: Record<string, () => xdr.ChangeTrustResult> = {
  op_success: xdr.ChangeTrustResult.changeTrustSuccess,
  op_no_issuer: xdr.ChangeTrustResult.changeTrustNoIssuer,
  op_invalid_limit: xdr.ChangeTrustResult.changeTrustInvalidLimit,
  op_low_reserve: xdr.ChangeTrustResult.changeTrustLowReserve,
  op_self_not_allowed: xdr.ChangeTrustResult.changeTrustSelfNotAllowed,
  op_trust_line_missing: xdr.ChangeTrustResult.changeTrustTrustLineMissing,
};

const BEGUN: Record<string, () => xdr.BeginSponsoringFutureReservesResult> = {
  op_success: xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesSuccess,
  op_malformed: xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesMalformed,
  op_already_sponsored: xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesAlreadySponsored,
  op_recursive: xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesRecursive,
};

const ENDED: Record<string, () => xdr.EndSponsoringFutureReservesResult> = {
  op_success: xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesSuccess,
  op_not_sponsored: xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesNotSponsored,
};

const STORED: Record<string, () => xdr.ManageDataResult> = {
  op_success: xdr.ManageDataResult.manageDataSuccess,
  op_data_name_not_found: xdr.ManageDataResult.manageDataNameNotFound,
  op_low_reserve: xdr.ManageDataResult.manageDataLowReserve,
};

function received(code: string, op: xdr.PathPaymentStrictReceiveOp): xdr.PathPaymentStrictReceiveResult {
  const R = xdr.PathPaymentStrictReceiveResult;
  const last = lastPayment({ destination: op.destination, asset: op.destAsset, amount: op.destAmount });
  const table: Record<string, () => xdr.PathPaymentStrictReceiveResult> = {
    op_success: () =>
      R.pathPaymentStrictReceiveSuccess(new xdr.PathPaymentStrictReceiveResultSuccess({ offers: [], last })),
    op_underfunded: R.pathPaymentStrictReceiveUnderfunded,
    op_src_no_trust: R.pathPaymentStrictReceiveSrcNoTrust,
    op_no_destination: R.pathPaymentStrictReceiveNoDestination,
    op_no_trust: R.pathPaymentStrictReceiveNoTrust,
    op_not_authorized: R.pathPaymentStrictReceiveNotAuthorized,
    op_line_full: R.pathPaymentStrictReceiveLineFull,
    op_too_few_offers: R.pathPaymentStrictReceiveTooFewOffers,
    op_over_source_max: R.pathPaymentStrictReceiveOverSendmax,
  };
  return table[code]?.() ?? R.pathPaymentStrictReceiveMalformed();
}

function sent(code: string, op: xdr.PathPaymentStrictSendOp): xdr.PathPaymentStrictSendResult {
  const R = xdr.PathPaymentStrictSendResult;
  const last = lastPayment({ destination: op.destination, asset: op.destAsset, amount: op.sendAmount });
  const table: Record<string, () => xdr.PathPaymentStrictSendResult> = {
    op_success: () => R.pathPaymentStrictSendSuccess(new xdr.PathPaymentStrictSendResultSuccess({ offers: [], last })),
    op_underfunded: R.pathPaymentStrictSendUnderfunded,
    op_src_no_trust: R.pathPaymentStrictSendSrcNoTrust,
    op_no_destination: R.pathPaymentStrictSendNoDestination,
    op_no_trust: R.pathPaymentStrictSendNoTrust,
    op_not_authorized: R.pathPaymentStrictSendNotAuthorized,
    op_line_full: R.pathPaymentStrictSendLineFull,
    op_too_few_offers: R.pathPaymentStrictSendTooFewOffers,
    op_under_dest_min: R.pathPaymentStrictSendUnderDestmin,
  };
  return table[code]?.() ?? R.pathPaymentStrictSendMalformed();
}

function lastPayment({
  destination,
  asset,
  amount,
}: {
  destination: xdr.MuxedAccount;
  asset: xdr.Asset;
  amount: bigint;
}) {
  const key = destination.type === 'keyTypeMuxedEd25519' ? destination.med25519.ed25519 : destination.ed25519;
  return new xdr.SimplePaymentResult({ destination: xdr.PublicKey.publicKeyTypeEd25519(key), asset, amount });
}

function mergeResult(code: string, merged: bigint | null): xdr.AccountMergeResult {
  const R = xdr.AccountMergeResult;
  if (code === 'op_success') return R.accountMergeSuccess(merged ?? 0n);
  if (code === 'op_no_account') return R.accountMergeNoAccount();
  if (code === 'op_has_sub_entries') return R.accountMergeHasSubEntries();
  if (code === 'op_is_sponsor') return R.accountMergeIsSponsor();
  return R.accountMergeMalformed();
}

// The programs of the simulator return nothing, and a caller can check the hash of nothing.
const invoked = (code: string) =>
  code === 'op_success'
    ? xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(hash(xdr.ScVal.scvVoid().toXdr()))
    : xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped();

function clawbackResult(code: string): xdr.ClawbackResult {
  const R = xdr.ClawbackResult;
  if (code === 'op_success') return R.clawbackSuccess();
  if (code === 'op_underfunded') return R.clawbackUnderfunded();
  if (code === 'op_no_trust') return R.clawbackNoTrust();
  return R.clawbackMalformed();
}
