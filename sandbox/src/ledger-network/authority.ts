// The authorisation of a contract call. A signed transaction authorises, as its source, exactly the calls in its authorisation
// entries: the call itself, and below it the transfers that the contract makes from the signer.

import { Address, xdr } from '@stellar/stellar-sdk';
import { ContractFailure } from './failures.ts';
import type { Call } from './invoke.ts';

export type Authority = {
  // Throws unless the address authorised the call, or the given call made by it.
  require(address: string, nested: Call | null): void;
};

type Entries = { call: Call; auth: xdr.SorobanAuthorizationEntry[]; source: string };

export function authorityOf({ call, auth, source }: Entries): Authority {
  const bySource = auth.filter(({ credentials }) => credentials.type === 'sorobanCredentialsSourceAccount');
  const root = bySource.find(({ rootInvocation }) => names(rootInvocation, call))?.rootInvocation;
  return {
    require(address, nested) {
      const covered = nested === null || root?.subInvocations.some((invocation) => names(invocation, nested));
      if (address === source && root !== undefined && covered) return;
      throw new ContractFailure(`Error(Auth, InvalidAction): ${address} did not authorise ${(nested ?? call).fn}`);
    },
  };
}

// Records the needed authorisations instead of checking them: this prepares a call for signing.
export function recordAuthority({ call, source }: { call: Call; source: string }) {
  const nestedCalls: Call[] = [];
  let asked = false;
  return {
    authority: {
      require(address: string, nested: Call | null) {
        if (address !== source) throw new ContractFailure(`Only ${address} can authorise this call, not ${source}`);
        asked = true;
        if (nested !== null) nestedCalls.push(nested);
      },
    } satisfies Authority,
    entries(): xdr.SorobanAuthorizationEntry[] {
      if (!asked) return [];
      const rootInvocation = new xdr.SorobanAuthorizedInvocation({
        function: authorised(call),
        subInvocations: nestedCalls.map(
          (nested) => new xdr.SorobanAuthorizedInvocation({ function: authorised(nested), subInvocations: [] }),
        ),
      });
      const credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount();
      return [new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation })];
    },
  };
}

export const writeCall = ({ contract, fn, args }: Call): xdr.InvokeContractArgs =>
  new xdr.InvokeContractArgs({ contractAddress: Address.fromString(contract).toScAddress(), functionName: fn, args });

const authorised = (call: Call) =>
  xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(writeCall(call));

function names({ function: named }: xdr.SorobanAuthorizedInvocation, call: Call): boolean {
  if (named.type !== 'sorobanAuthorizedFunctionTypeContractFn') return false;
  return Buffer.compare(named.contractFn.toXdr(), writeCall(call).toXdr()) === 0;
}
