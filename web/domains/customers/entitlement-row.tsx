/** One property of a customer: value or usage, what decided it, its actions, and the override editor while it is open. */
import { Button, Menu } from '@mantine/core';
import { IconAdjustments, IconPencil, IconTrash } from '@tabler/icons-react';
import type { CustomerEntitlements, CustomerOverride, Entitlement } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { FeatureProperty } from '#contracts/console/features';
import { Age } from '#web/ui/age.tsx';
import { BreakableEmail } from '#web/ui/breakable-email.tsx';
import { sentence } from '#web/ui/format.ts';
import { Hint } from '#web/ui/hint.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import chips from './chip.module.css';
import { EntitlementValue } from './entitlement-value.tsx';
import classes from './entitlements-table.module.css';
import type { EntryFor } from './manual-entries.ts';
import { OverrideEditor } from './override-editor.tsx';
import type { NamedOverride } from './remove-override-dialog.tsx';

export interface EntitlementRowProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly entitlement: Entitlement;
  readonly plans: CustomerEntitlements['plans'];
  /** In the workspace. Undefined if it was deleted since: it cannot be overridden any more. */
  readonly property: FeatureProperty | undefined;
  /** The override that applies. */
  readonly override: EntryFor<CustomerOverride> | undefined;
  /** The one that is looked at. */
  readonly environmentId: string;
  readonly environments: readonly Environment[];
  readonly isEdited: boolean;
  /** Opens the editor of a property; null: closes the open one. Asks before unsaved input is lost. */
  readonly onEdit: (propertyId: string | null) => Promise<void>;
  /** Closes this property's editor, without asking. */
  readonly onClose: () => void;
  readonly onRemove: (override: NamedOverride) => void;
  readonly onCorrect: () => void;
}

export function EntitlementRow(props: EntitlementRowProps) {
  const { orgId, identifier, entitlement, plans, property, override, environmentId, environments } = props;
  const { isEdited } = props;
  const name = sentence`${entitlement.featureName} ${entitlement.property}`;
  return (
    <>
      <div className={classes.row}>
        <span className="column shrink breaks">
          <span>{entitlement.propertyName}</span>
          <code className="muted tiny mono">{entitlement.property}</code>
        </span>
        <span className="shrink">
          <EntitlementValue entitlement={entitlement} />
        </span>
        <span className="column shrink top gap-2">
          <Hint label={entitlement.reason}>
            <span className="inline-flex wrap gap-4">
              <DecidedBy entitlement={entitlement} plans={plans} hasOverride={override !== undefined} />
            </span>
          </Hint>
          {override !== undefined && (
            <span className="muted tiny breaks">
              {override.of !== identifier && (
                <>
                  via <BreakableEmail email={override.of} />
                  {' · '}
                </>
              )}
              {override.until !== null && (
                <>
                  Ends <Age at={override.until} />
                  {' · '}
                </>
              )}
              {override.reason}
            </span>
          )}
        </span>
        <span className={classes.actions}>
          <Actions {...props} name={name} />
        </span>
      </div>
      {isEdited && property !== undefined && (
        <OverrideEditor
          key={environmentId}
          orgId={orgId}
          identifier={override?.of ?? identifier}
          name={name}
          property={property}
          override={override}
          value={entitlement.value}
          environmentId={environmentId}
          environments={environments}
          onClose={props.onClose}
        />
      )}
    </>
  );
}

function Actions(props: EntitlementRowProps & { readonly name: string }) {
  const { entitlement, property, override, isEdited, onEdit, onRemove, onCorrect, name } = props;
  const { value, propertyId } = entitlement;
  const isMetered = typeof value === 'object' && value.state === 'metered';
  const isCorrectable = isMetered && !value.meter.uniqueResourceIds;
  return (
    <>
      {override === undefined && property !== undefined && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Override ${name}`}
          aria-expanded={isEdited}
          onClick={() => void onEdit(isEdited ? null : propertyId)}
        >
          Override
        </Button>
      )}
      {(override !== undefined || isCorrectable) && (
        <RowMenu name={name}>
          {override !== undefined && (
            <>
              {property !== undefined && (
                <Menu.Item
                  leftSection={<IconPencil size={15} aria-hidden />}
                  onClick={() => void onEdit(propertyId)}
                >
                  Edit override
                </Menu.Item>
              )}
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={15} aria-hidden />}
                onClick={() =>
                  onRemove({
                    ...override,
                    name: sentence`${entitlement.featureName} › ${entitlement.propertyName}`,
                  })
                }
              >
                Remove override
              </Menu.Item>
            </>
          )}
          {isCorrectable && (
            <Menu.Item leftSection={<IconAdjustments size={15} aria-hidden />} onClick={onCorrect}>
              Adjust usage…
            </Menu.Item>
          )}
        </RowMenu>
      )}
    </>
  );
}

function DecidedBy({
  entitlement: { decidedBy },
  plans,
  hasOverride,
}: Pick<EntitlementRowProps, 'entitlement' | 'plans'> & { readonly hasOverride: boolean }) {
  if (decidedBy === 'default') return <span className="muted">Default</span>;
  if (!Array.isArray(decidedBy)) {
    const label = hasOverride ? 'Override' : decidedBy.override;
    return (
      <span className={chips.chip} data-kind="override">
        {label}
      </span>
    );
  }
  return decidedBy.map((slug) => (
    <span key={slug} className={chips.chip}>
      {plans.find((plan) => plan.slug === slug)?.name ?? slug}
    </span>
  ));
}
