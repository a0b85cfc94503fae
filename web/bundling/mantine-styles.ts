/**
 * A Vite plugin that loads Mantine's styles per component: a component's style sheet comes with the file that contains the component.
 * Mantine's own sheet has those of all components. The hot-reload server, which does not run this plugin, loads that one.
 *
 * A component's sheet comes after the sheets of the components that it imports, because style sheets load in the order of imports.
 * All are in the cascade layer `mantine`, below the console's own rules (theme/global.css). Palettes that nothing uses are left out.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const ALL_SHEETS = '@mantine/core/styles.layer.css';

/** What Mantine's provider needs: resets, custom properties, global classes. */
const BASE_SHEETS = ['baseline', 'default-css-variables', 'global'];

/** The palettes that neither the theme (theme/colours.ts) nor a sheet of Mantine's uses. */
const UNUSED_PALETTES = 'pink|grape|violet|indigo|cyan|lime|orange';

const VARIABLES = /@mantine\/core\/styles\/default-css-variables\.layer\.css$/;
const UNUSED_VARIABLES = new RegExp(`--mantine-color-(?:${UNUSED_PALETTES})-[\\w-]+:[^;]+;`, 'g');

/** A module with a component's class names, which every component imports: …/Button/Button.module.mjs. */
const CLASS_NAMES = /^(.+\/@mantine\/core)\/esm\/(?:.+\/)?([\w-]+)\.module\.mjs$/;

/** The sheet's id is that of the class names with this ending, so that a pattern of chunks.ts which finds one finds both. */
const SHEET = /^(.+\/@mantine\/core)\/esm\/(?:.+\/)?([\w-]+)\.module\.layer\.css$/;

const BASE = '\0mantine-base-styles';

export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      if (source === ALL_SHEETS) return BASE;
      return SHEET.test(source) ? source : null;
    },
    load(id) {
      if (id === BASE)
        return BASE_SHEETS.map((name) => `import '@mantine/core/styles/${name}.layer.css';`).join('\n');
      const [, root, name] = SHEET.exec(id) ?? [];
      return root === undefined ? null : readFileSync(`${root}/styles/${name}.layer.css`, 'utf8');
    },
    transform: {
      filter: { id: [CLASS_NAMES, VARIABLES] },
      handler(code, id) {
        if (VARIABLES.test(id)) return { code: code.replaceAll(UNUSED_VARIABLES, ''), map: { mappings: '' } };
        const [, root, name] = CLASS_NAMES.exec(id) ?? [];
        if (!existsSync(`${root}/styles/${name}.layer.css`))
          throw new Error(`Mantine has no sheet for ${id}`);
        const sheet = id.replace(/\.mjs$/, '.layer.css');
        return { code: `import ${JSON.stringify(sheet)};\n${code}`, map: { mappings: '' } };
      },
    },
  };
}
