// `npm run check`: types, lint, rules, and the tests that need no server.
import { checkTypesAndLint, conclude, runQuickTests } from './tools/gates.ts';
import { readOptions } from './tools/read-options.ts';

readOptions('check', {});
conclude([await checkTypesAndLint(), await runQuickTests()]);
