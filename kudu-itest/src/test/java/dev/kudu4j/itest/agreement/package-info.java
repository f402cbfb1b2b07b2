/**
 * Our client and Apache Kudu's, given the same tables, rows and predicates, say the same. Start
 * with {@link ClientsAgreeIT}.
 */
package dev.kudu4j.itest.agreement;
