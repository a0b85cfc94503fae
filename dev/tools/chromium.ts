// Finds the browser for browser tests and screenshots, without downloading one. Linux x86-64 uses the npm package
// @sparticuz/chromium, unpacked once into node_modules/.cache; other platforms use an installed Chrome. TESSERA_CHROMIUM
// overrides the path.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';
import { root } from './run-tool.ts';

const quietFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const unpackedFolder = join(root, 'node_modules/.cache/tessera/chromium');

/** Launch options for Playwright. */
export function chromiumLaunchOptions(): LaunchOptions {
  const ownPath = process.env.TESSERA_CHROMIUM;
  if (ownPath) return { executablePath: ownPath, args: quietFlags };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args: quietFlags };
  if (!existsSync(unpackedFolder)) unpack();
  const executablePath = join(unpackedFolder, 'chromium');
  return {
    executablePath,
    args: quietFlags,
    env: { ...process.env, ...missingSystemFiles(executablePath) },
  };
}

/** Unpacks into a temporary folder and renames it, so that interrupted and concurrent runs never leave a partial copy. */
function unpack(): void {
  mkdirSync(dirname(unpackedFolder), { recursive: true });
  const folder = mkdtempSync(`${unpackedFolder}-`);
  const script = `(await import('@sparticuz/chromium')).default.executablePath()`;
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', `await ${script}`], {
    cwd: root,
    encoding: 'utf8',
    // The package unpacks below TMPDIR, and unpacks its system libraries only if it detects AWS Lambda.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  if (result.status !== 0) throw new Error(`The packaged Chromium could not be unpacked: ${result.stderr}`);
  const fonts = `<dir>${unpackedFolder}/fonts</dir><cachedir>${unpackedFolder}/fonts-cache</cachedir>`;
  writeFileSync(join(folder, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>`);
  try {
    renameSync(folder, unpackedFolder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(unpackedFolder)) throw error;
  }
}

/** Environment for machines without Chromium's libraries or fonts; the package contains both. */
function missingSystemFiles(executablePath: string): NodeJS.ProcessEnv {
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' });
  const libraries = stdout?.includes('not found')
    ? { LD_LIBRARY_PATH: join(unpackedFolder, 'al2023/lib') }
    : {};
  const hasFonts = existsSync('/etc/fonts/fonts.conf') && existsSync('/usr/share/fonts');
  return { ...libraries, ...(hasFonts ? {} : { FONTCONFIG_FILE: join(unpackedFolder, 'fonts.conf') }) };
}
