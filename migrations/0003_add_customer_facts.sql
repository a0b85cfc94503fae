CREATE TABLE `customer` (
	`org_id` text NOT NULL,
	`identifier` text NOT NULL,
	`facts_version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `identifier`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `customer_recent` ON `customer` (`org_id`,`created_at`,`identifier`);--> statement-breakpoint
CREATE TABLE `customer_grant` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`environment_id` text,
	`customer_identifier` text NOT NULL,
	`reason` text NOT NULL,
	`until` integer,
	`created_at` integer NOT NULL,
	`created_by_user_id` text,
	`plan_id` text NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_grant_plan` ON `customer_grant` (`org_id`,`customer_identifier`,`plan_id`,`environment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `customer_grant_everywhere` ON `customer_grant` (`org_id`,`customer_identifier`,`plan_id`) WHERE environment_id IS NULL;--> statement-breakpoint
CREATE INDEX `customer_grant_environment` ON `customer_grant` (`org_id`,`environment_id`);--> statement-breakpoint
CREATE TABLE `customer_override` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`environment_id` text,
	`customer_identifier` text NOT NULL,
	`reason` text NOT NULL,
	`until` integer,
	`created_at` integer NOT NULL,
	`created_by_user_id` text,
	`property_id` text NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_override_property` ON `customer_override` (`org_id`,`customer_identifier`,`property_id`,`environment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `customer_override_everywhere` ON `customer_override` (`org_id`,`customer_identifier`,`property_id`) WHERE environment_id IS NULL;--> statement-breakpoint
CREATE INDEX `customer_override_environment` ON `customer_override` (`org_id`,`environment_id`);