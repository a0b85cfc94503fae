ALTER TABLE `organization` ADD `workspace_size` text DEFAULT '{"features":0,"plans":0,"workflows":0}' NOT NULL;--> statement-breakpoint
-- The workspaces that exist: as worker/db/workspace-size.ts measures them.
UPDATE `organization` SET `workspace_size` = json_object(
  'features',
  (SELECT ifnull(sum(150 + ifnull(octet_length(r.name), 0) + ifnull(octet_length(r.slug), 0) + ifnull(octet_length(r.description), 0)), 0)
     FROM `feature` r WHERE r.org_id = `organization`.`id`)
  + (SELECT ifnull(sum(150 + ifnull(octet_length(r.property_key), 0) + ifnull(octet_length(r.name), 0) + ifnull(octet_length(r.description), 0)
       + ifnull(octet_length(r.value), 0) + ifnull(octet_length(r.bounds), 0)), 0)
     FROM `feature_property` r WHERE r.org_id = `organization`.`id`),
  'plans',
  (SELECT ifnull(sum(150 + ifnull(octet_length(r.name), 0) + ifnull(octet_length(r.slug), 0) + ifnull(octet_length(r.description), 0)
       + ifnull(octet_length(v.properties), 0)), 0)
     FROM `plan` r JOIN `plan_version` v ON v.plan_id = r.id AND v.version = r.current_version WHERE r.org_id = `organization`.`id`),
  'workflows',
  (SELECT ifnull(sum(150 + ifnull(octet_length(r.name), 0) + ifnull(octet_length(r.compiled_source), 0) + ifnull(octet_length(r.compiled), 0)), 0)
     FROM `workflow` r WHERE r.org_id = `organization`.`id` AND r.enabled AND r.compiled IS NOT NULL)
);
