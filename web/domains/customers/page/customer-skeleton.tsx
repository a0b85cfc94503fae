/** A customer's page while it loads: the cards that every customer has. */
import { Flex, Skeleton } from '@mantine/core';
import { Section } from '#web/ui/page/section.tsx';
import classes from '../entitlements/entitlements-table.module.css';
import { CustomerColumns } from './customer-columns.tsx';

const ROWS = ['one', 'two', 'three', 'four', 'five', 'six'];

export function CustomerSkeleton() {
  return (
    <CustomerColumns
      main={
        <>
          <Skeleton height={36} width={240} />
          <Section title="Entitlements" description="Values an access check returns, and why." isFlush>
            <ul className={classes.rows} role="status" aria-label="Loading the customer">
              {ROWS.map((row) => (
                <li key={row} className={classes.property}>
                  <div className={classes.row}>
                    <Flex component="span" direction="column" gap={6}>
                      <Skeleton height={13} width="70%" />
                      <Skeleton height={10} width="50%" />
                    </Flex>
                    <Skeleton height={13} width={60} />
                    <Skeleton height={13} width={48} />
                    <Skeleton height={24} width={72} mr="var(--control-height)" />
                  </div>
                </li>
              ))}
            </ul>
          </Section>
        </>
      }
      side={
        <Section title="Plans" isFlush>
          <Skeleton height={16} width="40%" m={20} />
        </Section>
      }
    />
  );
}
