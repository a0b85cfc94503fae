CREATE TABLE `provisioned_customer` (
	`environment_id` text NOT NULL,
	`identifier` text NOT NULL,
	`org_id` text NOT NULL,
	`name` text,
	`email` text,
	`serial` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`created_by_key` text NOT NULL,
	PRIMARY KEY(`environment_id`, `identifier`),
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_customer_email` ON `provisioned_customer` (`environment_id`,`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_customer_serial` ON `provisioned_customer` (`environment_id`,`serial`);--> statement-breakpoint
CREATE INDEX `provisioned_customer_org` ON `provisioned_customer` (`org_id`,`identifier`);--> statement-breakpoint
CREATE INDEX `provisioned_customer_email_org` ON `provisioned_customer` (`org_id`,`email`) WHERE email IS NOT NULL;--> statement-breakpoint
CREATE TABLE `provisioning_receipt` (
	`environment_id` text NOT NULL,
	`customer` text NOT NULL,
	`key` text NOT NULL,
	`org_id` text NOT NULL,
	`request_hash` text NOT NULL,
	`answer` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `customer`, `key`),
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `provisioning_receipt_age` ON `provisioning_receipt` (`created_at`);--> statement-breakpoint
CREATE INDEX `provisioning_receipt_org` ON `provisioning_receipt` (`org_id`);--> statement-breakpoint
ALTER TABLE `customer_grant` ADD `created_by_key` text;--> statement-breakpoint
ALTER TABLE `customer_override` ADD `created_by_key` text;--> statement-breakpoint
ALTER TABLE `api_key` ADD `manages_customers` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `actor_key` text;