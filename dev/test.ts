// `npm test`: everything that CI runs, one step after the other; a step that fails does not keep the next from running.
import { checkTypesAndLint, conclude, runBrowserTests, runPureTests, runWorkerTests } from './gates.ts';

conclude([await checkTypesAndLint(), await runPureTests(), await runWorkerTests(), await runBrowserTests()]);
