/** The danger section of an item's page, with the dialog that confirms its removal. */
import { type ReactNode, useState } from 'react';
import { DangerSection, type DangerSectionProps } from './danger-section.tsx';

export interface RemovalSectionProps extends Omit<DangerSectionProps, 'onAct'> {
  readonly children: (isAsking: boolean, close: () => void) => ReactNode;
}

export function RemovalSection({ children, ...section }: RemovalSectionProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <DangerSection {...section} onAct={() => setIsAsking(true)} />
      {children(isAsking, () => setIsAsking(false))}
    </>
  );
}
