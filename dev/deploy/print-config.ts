// Prints a wrangler.toml as wrangler understands it, in JSON. A process of its own, since wrangler takes more memory than what it is needed for.
import { unstable_readConfig } from 'wrangler';

const [config = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(unstable_readConfig({ config }, { hideWarnings: true })));
