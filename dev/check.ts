// `npm run check`: types, lint, rules, and the tests that need no server.
import { checkTypesAndLint, conclude, runQuickTests } from './tools/gates.ts';

conclude([await checkTypesAndLint(), await runQuickTests()]);
