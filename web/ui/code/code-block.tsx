/** Read-only code with a copy button, and a heading or a selection above it. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyBadge } from '../copy/copy-badge.tsx';
import classes from './code.module.css';
import { tokensOf } from './code-tokens.ts';

export interface CodeBlockProps {
  /** Describes the code for screen readers and the copy button: 'the request'. */
  readonly label: string;
  readonly code: string;
  /** A heading, or a selection of what is shown. */
  readonly head: ReactNode;
  /** Between heading and code. */
  readonly children?: ReactNode;
}

export function CodeBlock({ label, code, head, children }: CodeBlockProps) {
  return (
    <Stack gap={0} miw={0} className="card clip">
      <div className={classes.head}>
        {head}
        <CopyBadge value={code} label={label} />
      </div>
      {children}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a page has many of the same name, so it is no landmark. */}
      <div role="group" className={classes.code} tabIndex={0} aria-label={label}>
        <pre>
          {tokensOf(code).map(({ kind, text, at }) =>
            kind === 'plain' ? (
              text
            ) : (
              <span key={at} data-kind={kind}>
                {text}
              </span>
            ),
          )}
        </pre>
      </div>
    </Stack>
  );
}
