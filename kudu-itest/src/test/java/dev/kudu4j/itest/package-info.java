/** What a running cluster must show, asked through the published clients. */
package dev.kudu4j.itest;
