// `npm run build`: the console, into web/dist.
import { buildConsole } from './console-build.ts';

console.log((await buildConsole()) ? 'Built web/dist.' : 'web/dist is up to date.');
