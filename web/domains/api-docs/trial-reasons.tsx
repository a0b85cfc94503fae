/** The reason for each value of a test check, one row per property. */
import type { testAccessEndpoints } from '#contracts/console/test-access';
import type { AnswerOf } from '#contracts/public/endpoint';
import { propertyValueSchema } from '#contracts/public/values';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';

type Explanation = AnswerOf<typeof testAccessEndpoints.test>['diagnostics']['explanation'][number];

export function TrialReasons({ explanation }: { explanation: readonly Explanation[] }) {
  if (explanation.length === 0) return null;
  return (
    <ListTable
      label="reasons"
      rows={explanation}
      rowKey={({ feature, property }) => `${feature}.${property}`}
      name={{
        header: 'Property',
        cell: ({ property }) => property,
        detail: ({ feature }) => feature,
      }}
      columns={[
        { header: 'Value', cell: ({ value }) => <Value value={value} /> },
        { header: 'Why', cell: ({ reason }) => reason, isSecondary: true },
      ]}
    />
  );
}

function Value({ value }: { value: unknown }) {
  const read = propertyValueSchema.safeParse(value);
  if (!read.success) return <code>{JSON.stringify(value)}</code>;
  return <PropertyValueView value={read.data} />;
}
