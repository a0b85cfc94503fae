// One screenshot of the console.
import type { Page } from '@playwright/test';

export const KINDS = ['pages', 'dialogs', 'states'] as const;

export type Act = (page: Page) => Promise<void>;

export interface Shot {
  /** Unique; files are named after it. */
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
  /** With placeholders, see places.ts. */
  readonly path: string;
  /** The organisation that placeholders mean; see seed-states.ts. Absent: the demo. */
  readonly organisation?: 'empty' | 'bare' | 'full';
  /** Absent: the organisation's owner. */
  readonly viewer?: 'visitor' | 'member' | 'staff';
  /** Only what the window shows, for what is fixed to it. Others are taken in full. */
  readonly isOneScreen?: true;
  /** Before the page is opened. */
  readonly prepare?: Act;
  /** Waits until the page shows what it is taken for. Absent: until it has its data. */
  readonly ready?: Act;
  /** What a visitor does before the screenshot is taken. */
  readonly act?: Act;
  /** Shots of one sheet are also combined into one image. Its name selects them all. */
  readonly sheet?: string;
}
