// `npm run format [paths]`: formats files and applies the linter's safe fixes.
import { readOptions } from './tools/read-options.ts';
import { runTool } from './tools/run-tool.ts';

const { positionals } = readOptions('format', {}, 'paths');
process.exitCode = (await runTool('biome', ['check', '--write', ...positionals])).code;
