/** Code to read and to copy, with a word or a choice above it. */
import type { ReactNode } from 'react';
import { CopyBadge } from '../../ui/copy-badge.tsx';
import classes from './code.module.css';
import { tokensOf } from './tokens.ts';

export interface CodeBlockProps {
  /** Names what is shown, for screen readers and for the copy button: 'the request'. */
  readonly label: string;
  readonly code: string;
  /** In place of a plain heading: a choice of what is shown. */
  readonly head: ReactNode;
  /** Between head and code. */
  readonly children?: ReactNode;
}

export function CodeBlock({ label, code, head, children }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <div className={classes.head}>
        {head}
        <CopyBadge value={code} label={label} />
      </div>
      {children}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
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
      </section>
    </div>
  );
}
