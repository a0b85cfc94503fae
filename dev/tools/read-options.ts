// The options of an npm script. What a script does not know is refused before anything happens: a command does what it was asked, or nothing.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggestion } from './nearest-name.ts';
import { StartError } from './start-error.ts';

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

type Read<Options extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: true }>
>;

/**
 * Prints the options and ends the process if it was asked for --help.
 * @param script as npm calls it
 * @param words what words without dashes are, for example `URL`; without it there may be none
 * @throws {StartError} for an option or a word that the script does not take, and for one without its value
 */
export function readOptions<const Options extends OptionsConfig>(
  script: string,
  options: Options,
  words?: string,
  args = process.argv.slice(2),
): Read<Options> {
  const command = /^(start|test)$/.test(script) ? `npm ${script}` : `npm run ${script}`;
  const names = Object.entries(options).map(([name, { type }]) =>
    type === 'boolean' ? `--${name}` : `--${name} …`,
  );
  const takes = [...names, ...(words === undefined ? [] : [words])].join(', ');
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${command}${takes === '' ? ' takes no options.' : ` takes: ${takes}`}`);
    process.exit(0);
  }
  const refuse = (what: string, meant = ''): never => {
    throw new StartError(`${command} ${what}.${meant || (takes === '' ? '' : ` It takes ${takes}.`)}`);
  };
  try {
    const read = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const [word] = read.positionals;
    if (word !== undefined && words === undefined) refuse(`takes no ${JSON.stringify(word)}`);
    return read as unknown as Read<Options>;
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error;
    const [, name = ''] = /'(-[^' ]+)/.exec(error.message) ?? [];
    if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const near = suggestion(name, Object.keys(options)).replace(/mean (.+)\?/, 'mean --$1?');
      return refuse(`has no option ${name}`, near);
    }
    return refuse(`cannot read ${name}: ${error.message.split('\n')[0]?.replace(/\.$/, '')}`);
  }
}
