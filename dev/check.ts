// `npm run check`: the quick gate. Types, lint, rules, and the tests that need no server.
import { checkTypesAndLint, conclude, runPureTests } from './gates.ts';

conclude([await checkTypesAndLint(), await runPureTests()]);
