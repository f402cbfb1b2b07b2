package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.RemoveMasterRequestPB;
import java.util.concurrent.CompletableFuture;

/** Adds and removes masters; called on the leading master only. */
public interface MasterMembership {
  CompletableFuture<Void> add(AddMasterRequestPB request);

  CompletableFuture<Void> remove(RemoveMasterRequestPB request);
}
