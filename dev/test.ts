// `npm test`: all steps that CI runs, in sequence. A failing step does not stop the next one.
import { checkTypesAndLint, conclude, runBrowserTests, runNodeTests, runWorkerTests } from './gates.ts';

conclude([await checkTypesAndLint(), await runNodeTests(), await runWorkerTests(), await runBrowserTests()]);
