package dev.kudu4j.tablet.env;

/** The simulation, left alone, keeps the contract. */
class SimulatedFileStoreContractTest extends FileStoreContract {
  private final SimulatedFileStore store = new SimulatedFileStore();

  @Override
  FileStore store() {
    return store;
  }

  @Override
  int openFiles() {
    return store.openFiles();
  }
}
