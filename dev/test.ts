// `npm test`: all steps that CI runs. A failing step does not stop the others. The browser tests run beside Vitest's, because both leave
// processors idle while they wait, for objects, pages and time to pass; what they print follows.
import { checkTypesAndLint, conclude, runBrowserTests, runVitestTests, show } from './tools/gates.ts';
import { readOptions } from './tools/read-options.ts';

readOptions('test', {});
const typesAndLint = await checkTypesAndLint();
const browser = runBrowserTests();
conclude([typesAndLint, await runVitestTests(), await browser.then(show)]);
