// `npm run check`: types, lint, rules, and the tests that need no server.
import { checkTypesAndLint, conclude, runPureTests } from './gates.ts';

conclude([await checkTypesAndLint(), await runPureTests()]);
