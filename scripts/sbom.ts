// `npm run sbom`: prints the list of all components that the package `holdfast` brings along, as CycloneDX JSON. The package and the
// release contain the same list.

import { shippedSbom } from '../tools/packages/build-holdfast.ts';

console.log(JSON.stringify(shippedSbom(), null, 2));
