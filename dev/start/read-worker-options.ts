// Prints a wrangler.toml as options of Miniflare, in JSON. A process of its own, since wrangler takes more memory than what it is needed for.
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const [configPath = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(unstable_getMiniflareWorkerOptions(configPath).workerOptions));
