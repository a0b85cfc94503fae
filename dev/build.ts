// `npm run build`: builds the console into web/dist and prints its bundle sizes.
import { buildConsole } from './build/console-build.ts';
import { describeSizes, measureConsole } from './build/console-sizes.ts';
import { readOptions } from './tools/read-options.ts';

readOptions('build', {});
console.log((await buildConsole()) ? 'Built web/dist.' : 'web/dist is up to date.');
console.log(`\n${describeSizes(measureConsole())}`);
