# normscope.js and normscope.wasm, with the data within that ./web.sh has put together.
target_link_options(normscope PRIVATE -O2 -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sSTACK_SIZE=2MB -sENVIRONMENT=web -sFORCE_FILESYSTEM=1
  -sEXPORTED_FUNCTIONS=_main,_free
  -sEXPORTED_RUNTIME_METHODS=FS,stringToNewUTF8,addRunDependency,removeRunDependency -sINCOMING_MODULE_JS_API=arguments,canvas,preRun,print,printErr,wasmBinary,onAbort,locateFile,setStatus
  "SHELL:--embed-file ${CMAKE_BINARY_DIR}/data@/assets")
