/**
 * Our client and Apache Kudu's agree on the same tables, rows and predicates. Start with {@link
 * ClientsAgreeIT}.
 */
package dev.kudu4j.itest.agreement;
