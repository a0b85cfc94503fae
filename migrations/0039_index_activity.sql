ALTER TABLE `audit_log` ADD `kind` text GENERATED ALWAYS AS (CASE substr(action, 1, instr(action, '.') - 1) WHEN 'property' THEN 'feature' WHEN 'workflow-test' THEN 'workflow'
  WHEN 'jwt-integration' THEN 'integration' WHEN 'stripe-integration' THEN 'integration' WHEN 'invitation' THEN 'member'
  WHEN 'support-access' THEN 'support' WHEN 'sudo' THEN 'support' ELSE substr(action, 1, instr(action, '.') - 1) END) VIRTUAL;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `actor_id` text GENERATED ALWAYS AS (coalesce(actor_user_id, json_extract(actor_key, '$.id'), CASE action WHEN 'billing.plan-changed' THEN 'stripe'
  WHEN 'billing.subscription-changed' THEN 'stripe' ELSE 'service' END)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `parent_id` text GENERATED ALWAYS AS (CASE substr(action, 1, instr(action, '.') - 1) WHEN 'property' THEN json_extract(detail, '$.featureId')
  WHEN 'workflow-test' THEN json_extract(detail, '$.workflowId') WHEN 'api-key' THEN json_extract(detail, '$.environmentId') END) VIRTUAL;--> statement-breakpoint
CREATE INDEX `audit_log_kind` ON `audit_log` (`org_id`,`kind`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_actor` ON `audit_log` (`org_id`,`actor_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_parent` ON `audit_log` (`org_id`,`parent_id`,`at`,`id`) WHERE parent_id IS NOT NULL;