// `npm run build`: the console, into web/dist, and what it weighs.
import { buildConsole } from './console-build.ts';
import { describeSizes, measureConsole } from './console-sizes.ts';

console.log((await buildConsole()) ? 'Built web/dist.' : 'web/dist is up to date.');
console.log(`\n${describeSizes(measureConsole())}`);
