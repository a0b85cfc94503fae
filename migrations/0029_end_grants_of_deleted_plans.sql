CREATE TABLE `deleted_plan` (
	`org_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`kept_by` text,
	`searched_to` text,
	PRIMARY KEY(`org_id`, `plan_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`kept_by`) REFERENCES `artifact`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `deleted_plan_kept_by` ON `deleted_plan` (`kept_by`);--> statement-breakpoint
CREATE INDEX `customer_grant_of_plan` ON `customer_grant` (`org_id`,`plan_id`,`customer_identifier`);--> statement-breakpoint
-- Plans that earlier releases deleted while they were granted.
INSERT INTO deleted_plan (org_id, plan_id)
SELECT DISTINCT g.org_id, g.plan_id FROM customer_grant g WHERE NOT EXISTS (SELECT 1 FROM plan p WHERE p.id = g.plan_id);
