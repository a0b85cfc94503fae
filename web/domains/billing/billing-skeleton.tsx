/** Loading state of the billing page. */
import { SimpleGrid, Skeleton } from '@mantine/core';
import { Section } from '#web/ui/page/section.tsx';
import classes from './billing.module.css';

export function BillingSkeleton() {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={16} aria-hidden="true">
        {['build', 'grow'].map((plan) => (
          <div key={plan} className={classes.plan}>
            <Skeleton height={18} width={92} />
            <Skeleton height={30} width={120} mt={10} mb={12} />
            <Skeleton height={14} width="70%" mb={12} />
            <Skeleton height={14} width="82%" mb={12} />
            <Skeleton height={14} width="48%" mb={8} />
          </div>
        ))}
      </SimpleGrid>
      <Section title="API calls this month">
        <Skeleton height={30} width={180} mb={12} />
        <Skeleton height={8} mb={12} />
        <Skeleton height={14} width="45%" />
      </Section>
      <Section title="Billing">
        <Skeleton height={38} width="60%" />
      </Section>
    </>
  );
}
