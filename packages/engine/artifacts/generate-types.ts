/** Writes tessera.gen.ts: the types of a version's features and plans, with which tessera-sdk checks paths, values and fallbacks. */
import { kindOf } from '../values/kinds/kinds.ts';
import type { ArtifactContent } from './artifact-content.ts';

/** Sorted by slug and key, so that equal versions make equal files. Every name is quoted: slugs and keys may be anything but words. */
export function generateTypes({ features, plans }: Pick<ArtifactContent, 'features' | 'plans'>): string {
  const written = features.map(({ slug, properties }) => {
    const members = properties.map(
      ({ key, type }) => `        ${quoted(key)}: ${kindOf(type).typeScript.answer};\n`,
    );
    return `      ${quoted(slug)}: {\n${members.sort().join('')}      };\n`;
  });
  const slugs = plans.map(({ slug }) => quoted(slug)).sort();
  const hasMeters = features.some(({ properties }) => properties.some(({ type }) => type === 'meterable'));
  return `// Features and plans of your workspace. Download it again after a change: edits are lost.
import type {${hasMeters ? ' Meter ' : ''}} from 'tessera-sdk';

declare module 'tessera-sdk' {
  interface Register {
    features: {
${written.sort().join('')}    };
    plans: ${slugs.length === 0 ? 'never' : slugs.join(' | ')};
  }
}
`;
}

/** As a literal of TypeScript: JSON's, which escapes quotes and line ends, apart from two line ends that JSON leaves. */
function quoted(name: string): string {
  return JSON.stringify(name).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}
