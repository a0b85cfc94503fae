// `npm run conformance -- http://localhost:4001`: the conformance suite of the public API against a running server. Without
// an address it uses CONFORMANCE_URL, else the local default; tests/conformance/README.md lists the other variables.

import { readOptions } from './tools/read-options.ts';
import { runTool } from './tools/run-tool.ts';
import { findServer } from './tools/running-server.ts';

const {
  positionals: [address = process.env.CONFORMANCE_URL, ...files],
} = readOptions('conformance', {}, 'URL');
const url = await findServer(address);
const { code } = await runTool(
  'vitest',
  ['run', '--config', 'tests/vitest.config.ts', '--project', 'conformance', ...files],
  { env: { CONFORMANCE_URL: url } },
);
process.exitCode = code;
