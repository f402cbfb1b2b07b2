package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;

/**
 * The claim of a value.
 *
 * @param owner the primary key of the row that has the value, or is about to get it
 * @param stamp when it was claimed
 */
record Claim(ByteString owner, Stamp stamp) {}
