/** Whether an item belongs to a payment provider's test mode or live mode. Text, never colour alone. */
import { Tag } from './tag.tsx';

export function ModeBadge({ isTest }: { isTest: boolean }) {
  return isTest ? <Tag>Test</Tag> : <Tag look="filled">Live</Tag>;
}
