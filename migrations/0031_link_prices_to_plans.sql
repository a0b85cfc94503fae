PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_plan_product` (
	`org_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`product_id` text NOT NULL,
	`price_id` text DEFAULT '' NOT NULL,
	`price_name` text DEFAULT '' NOT NULL,
	`times_quantity` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`plan_id`, `integration_id`, `product_id`, `price_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`plan_id`) REFERENCES `plan`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_plan_product`("org_id", "plan_id", "integration_id", "product_id", "created_at")
SELECT "org_id", "plan_id", "integration_id", "product_id", "created_at" FROM `plan_product`;--> statement-breakpoint
DROP TABLE `plan_product`;--> statement-breakpoint
ALTER TABLE `__new_plan_product` RENAME TO `plan_product`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `plan_product_org` ON `plan_product` (`org_id`,`integration_id`);