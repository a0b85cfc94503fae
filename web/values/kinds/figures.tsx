/** Figures of one value in a line, which wraps where there is little room. */
import { Flex } from '@mantine/core';
import type { ReactNode } from 'react';

export function Figures({ children }: { readonly children: ReactNode }) {
  return (
    <Flex
      component="span"
      display="inline-flex"
      align="baseline"
      wrap="wrap"
      className="figures"
      style={{ gap: '0 8px' }}
    >
      {children}
    </Flex>
  );
}
