/** What the command palette lists. */
import type { TablerIcon } from '@tabler/icons-react';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly icon: TablerIcon;
  /** Faint, at the right: a slug, a type, a place. */
  readonly aside?: string | undefined;
  /** The same command's shortcut. */
  readonly keys?: string;
  /** Also found by these. */
  readonly keywords?: readonly string[];
  /** The page that it opens. Such items are remembered as recent. */
  readonly to?: string;
  /** Router state for the page: see ui/use-creating.ts. */
  readonly state?: object;
  /** What it does instead of opening a page. */
  readonly run?: () => void;
  /** The palette stays open when it runs. */
  readonly staysOpen?: boolean;
}

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}
