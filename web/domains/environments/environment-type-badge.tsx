/** Labels an environment as live, test or preview, in text rather than by colour alone. */
import type { EnvironmentType } from '#contracts/console/environment-type';
import { Tag, type TagProps } from '#web/ui/labels/tag.tsx';

const TAGS: Record<EnvironmentType, TagProps> = {
  live: { look: 'filled', children: 'Live' },
  test: { children: 'Test' },
  preview: { look: 'dashed', children: 'Preview' },
};

export function EnvironmentTypeBadge({ type }: { type: EnvironmentType }) {
  return <Tag {...TAGS[type]} />;
}
