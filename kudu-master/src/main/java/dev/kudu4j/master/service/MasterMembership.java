package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.RemoveMasterRequestPB;
import java.util.concurrent.CompletableFuture;

/** Changes who the masters are; asked of the leader only. */
public interface MasterMembership {
  CompletableFuture<Void> add(AddMasterRequestPB request);

  CompletableFuture<Void> remove(RemoveMasterRequestPB request);
}
