// `npm test`: all steps that CI runs, in sequence. A failing step does not stop the next one.
import { checkTypesAndLint, conclude, runBrowserTests, runVitestTests } from './tools/gates.ts';

conclude([await checkTypesAndLint(), await runVitestTests(), await runBrowserTests()]);
