// `npm test`: all steps that CI runs, in sequence. A failing step does not stop the next one.
import { checkTypesAndLint, conclude, runBrowserTests, runVitestTests } from './tools/gates.ts';
import { readOptions } from './tools/read-options.ts';

readOptions('test', {});
conclude([await checkTypesAndLint(), await runVitestTests(), await runBrowserTests()]);
