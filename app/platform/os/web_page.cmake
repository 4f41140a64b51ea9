# normscope.js and normscope.wasm, with the data within.
set(data ${CMAKE_BINARY_DIR}/data) # ./web.sh puts the subset of the fonts there
target_link_options(normscope PRIVATE -Oz -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sSTACK_SIZE=2MB -sENVIRONMENT=web -sFORCE_FILESYSTEM=1
  -sEXPORTED_FUNCTIONS=_main,_free
  -sEXPORTED_RUNTIME_METHODS=FS,stringToNewUTF8,addRunDependency,removeRunDependency -sINCOMING_MODULE_JS_API=arguments,canvas,preRun,print,printErr,wasmBinary,onAbort,locateFile,setStatus
  "SHELL:--embed-file ${PROJECT_SOURCE_DIR}/assets/examples@/assets/examples"
  "SHELL:--embed-file ${PROJECT_SOURCE_DIR}/assets/lessons@/assets/lessons"
  "SHELL:--embed-file ${PROJECT_SOURCE_DIR}/assets/texts@/assets/texts"
  "SHELL:--embed-file ${PROJECT_SOURCE_DIR}/assets/languages@/assets/languages"
  "SHELL:--embed-file ${data}/fonts@/assets/fonts")
