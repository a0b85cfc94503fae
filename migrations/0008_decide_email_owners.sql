ALTER TABLE `stripe_customer` ADD `email_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_customer` ADD `email_role` text DEFAULT 'owner' NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_customer` ADD `email_role_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Emails that several customers have stay with the customer that they were an alias of: one where both modes count, one where live mode counts.
UPDATE `stripe_customer` SET `email_role` = CASE
  WHEN (`integration_id`, `id`) = (
    SELECT p.`integration_id`, p.`id` FROM `stripe_customer` p
    JOIN `stripe_integration` i ON i.`id` = p.`integration_id` AND i.`deleted_at` IS NULL
    WHERE p.`org_id` = `stripe_customer`.`org_id` AND p.`email` = `stripe_customer`.`email` AND p.`deleted_at` IS NULL
    ORDER BY EXISTS (SELECT 1 FROM json_each(p.`subscriptions`) j WHERE json_extract(j.value, '$.status') IN ('active', 'trialing', 'past_due')) DESC, p.`livemode` DESC, p.`created_at` DESC, p.`id`, p.`integration_id`
    LIMIT 1
  ) OR (`integration_id`, `id`) = (
    SELECT p.`integration_id`, p.`id` FROM `stripe_customer` p
    JOIN `stripe_integration` i ON i.`id` = p.`integration_id` AND i.`deleted_at` IS NULL
    WHERE p.`org_id` = `stripe_customer`.`org_id` AND p.`email` = `stripe_customer`.`email` AND p.`deleted_at` IS NULL AND p.`livemode`
    ORDER BY EXISTS (SELECT 1 FROM json_each(p.`subscriptions`) j WHERE json_extract(j.value, '$.status') IN ('active', 'trialing', 'past_due')) DESC, p.`livemode` DESC, p.`created_at` DESC, p.`id`, p.`integration_id`
    LIMIT 1
  ) THEN 'owner' ELSE 'undecided' END
WHERE `email` IN (SELECT n.`email` FROM `stripe_customer` n WHERE n.`email` IS NOT NULL GROUP BY n.`org_id`, n.`email` HAVING count(*) > 1);
--> statement-breakpoint
UPDATE `stripe_customer` SET `email_role_at` = 1
WHERE `email_role` = 'owner'
  AND `email` IN (SELECT n.`email` FROM `stripe_customer` n WHERE n.`email` IS NOT NULL GROUP BY n.`org_id`, n.`email` HAVING count(*) > 1)
  AND (`integration_id`, `id`) <> (
    SELECT p.`integration_id`, p.`id` FROM `stripe_customer` p
    JOIN `stripe_integration` i ON i.`id` = p.`integration_id` AND i.`deleted_at` IS NULL
    WHERE p.`org_id` = `stripe_customer`.`org_id` AND p.`email` = `stripe_customer`.`email` AND p.`deleted_at` IS NULL
    ORDER BY EXISTS (SELECT 1 FROM json_each(p.`subscriptions`) j WHERE json_extract(j.value, '$.status') IN ('active', 'trialing', 'past_due')) DESC, p.`livemode` DESC, p.`created_at` DESC, p.`id`, p.`integration_id`
    LIMIT 1
  );
