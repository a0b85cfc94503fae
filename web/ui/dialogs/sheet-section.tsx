/** A titled section of a side sheet. */
import type { ReactNode } from 'react';

export interface SheetSectionProps {
  readonly title: ReactNode;
  /** Its name for screen readers if the title is no text. */
  readonly label?: string;
  /** Beside the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function SheetSection({ title, label, aside, children }: SheetSectionProps) {
  return (
    <section className="column gap-8" aria-label={label ?? (typeof title === 'string' ? title : undefined)}>
      <div className="flex baseline between gap-12">
        <h3 className="flush small bold">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}
